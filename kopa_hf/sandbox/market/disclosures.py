"""Disclosures of companies: DART's events and terms, cut to the regulator's columns, dates and amounts as plain digits."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from kopa_hf.sandbox.calendar import business_day_from, compact
from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.finance.decisions import TERMS
from kopa_hf.sandbox.finance.events import Event, events_of
from kopa_hf.sandbox.market.companies import financial, reporting
from kopa_hf.sandbox.market.daily import in_order
from kopa_hf.sandbox.market.filters import select
from kopa_hf.sandbox.query import Handler, Query, Reply
from kopa_hf.sandbox.world import World

_HANGUL_DAY: Final = re.compile(r"(\d{4})년 (\d{2})월 (\d{2})일")
_YES: Final = {"예": "Y", "아니오": "N", "참석": "Y", "불참": "N", "해당": "Y", "미해당": "N"}

_BOARD: Final = {
    "bodRsolDt": "bddd",
    "otdrAtndNopeCnt": "od_a_at_t",
    "otdrAbncNopeCnt": "od_a_at_b",
    "audpnAtndYn": "adt_a_atn",
    "audtCmbrAtndYn": "adt_a_atn",
}
_MONEY: Final = {
    "fctfndAt": "fdpp_fclt",
    "mgmCptAt": "fdpp_op",
    "otcoScrtAcqAmt": "fdpp_ocsa",
    "etcCptlAmt": "fdpp_etc",
}
_BOND: Final = {
    **_MONEY,
    "bondIssuDcnt": "bd_tm",
    "tcpbFcvlAmt": "bd_fta",
    "srfcInrt": "bd_intr_ex",
    "exprInrt": "bd_intr_sf",
    "cpbdExprDt": "bd_mtd",
    "shcpPymtDt": "pymd",
    "rprsSptdCmpyNm": "rpmcmp",
}
COLUMNS: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "CapiIncrWithCons": (
        "piicDecsn",
        {
            **_BOARD,
            **_MONEY,
            "onskNstCnt": "nstk_ostk_cnt",
            "stckParPrc": "fv_ps",
            "bfciOnskIssuStckCnt": "bfic_tisstk_ostk",
            "capiMthoNm": "ic_mthn",
        },
    ),
    "BonuIssu": (
        "fricDecsn",
        {
            **_BOARD,
            "onskNstCnt": "nstk_ostk_cnt",
            "stckParPrc": "fv_ps",
            "bfciOnskTisuStckCnt": "bfic_tisstk_ostk",
            "nstAlctBasDt": "nstk_asstd",
            "onskNstAlctStckCnt": "nstk_ascnt_ps_ostk",
            "nstDvdnRckDt": "nstk_dividrk",
            "nstLstgSchDt": "nstk_lstprd",
        },
    ),
    "CbRighIssu": (
        "cvbdIsDecsn",
        {
            **_BOARD,
            **_BOND,
            "bondKindNm": "bd_knd",
            "cpbdCnvrRto": "cv_rt",
            "cbCnvrPrc": "cv_prc",
            "dbetCnvrStckKindNm": "cvisstk_knd",
            "cpbdCnvrStckCnt": "cvisstk_cnt",
            "cpbdCnvrStckRto": "cvisstk_tisstk_vs",
            "cbClmSttgDt": "cvrqpd_bgd",
            "cbClmEdDt": "cvrqpd_edd",
            "cbrSbscDt": "sbd",
        },
    ),
    "BwRighIssu": (
        "bdwtIsDecsn",
        {
            **_BOARD,
            **_BOND,
            "bwrKindNm": "bd_knd",
            "bwrExertRto": "ex_rt",
            "bwrExertPrc": "ex_prc",
            "prmrIssuStckCnt": "nstk_isstk_cnt",
            "rgtExertSttgDt": "expd_bgd",
            "rgtExertEdDt": "expd_edd",
            "bwrSbscDt": "sbd",
        },
    ),
    "EbRighIssu": (
        "exbdIsDecsn",
        {
            **_BOARD,
            **_BOND,
            "ebrKindNm": "bd_knd",
            "ebrExchRto": "ex_rt",
            "ebExchPric": "ex_prc",
            "exchTrgtStckCnt": "extg_stkcnt",
            "exchClmSttgDt": "exrqpd_bgd",
            "exchClmEdDt": "exrqpd_edd",
            "ebrSbscDt": "sbd",
        },
    ),
    "ReduCapi": (
        "crDecsn",
        {
            **_BOARD,
            "rdcpOnskCnt": "crstk_ostk_cnt",
            "stckParPrc": "fv_ps",
            "bfrcCptlAmt": "bfcr_cpt",
            "afrcCptlAmt": "atcr_cpt",
            "bfrcIssuOnskCnt": "bfcr_tisstk_ostk",
            "afrcIssuOnskCnt": "atcr_tisstk_ostk",
            "onskRdcpRto": "cr_rt_ostk",
            "rdcpBasDt": "cr_std",
            "rdcpMthNm": "cr_mth",
            "rdcpRsnCtt": "cr_rs",
            "gmshSchDt": "crsc_gmtsck_prd",
        },
    ),
    "TreaStocRepu": (
        "tsstkAqDecsn",
        {
            **_BOARD,
            "acqSchOnskCnt": "aqpln_stk_ostk",
            "onskAcqSchAmt": "aqpln_prc_ostk",
            "acqXpctSttgDt": "aqexpd_bgd",
            "acqXpctEdDt": "aqexpd_edd",
            "acqPrpsCtt": "aq_pp",
            "acqMthCtt": "aq_mth",
            "brkBrkrNm": "cs_iv_bk",
            "dvdnPsblWtpftOnskCnt": "aq_wtn_div_ostk",
            "dvdnPsblWtpftOnskRto": "aq_wtn_div_ostk_rt",
            "acqDecsDt": "aq_dd",
            "onskBuynOrdgLmtCnt": "d1_prodlm_ostk",
        },
    ),
    "TreaStocSell": (
        "tsstkDpDecsn",
        {
            **_BOARD,
            "onskDspSchCnt": "dppln_stk_ostk",
            "dspTrgtOnskPric": "dpstk_prc_ostk",
            "onskDspSchAmt": "dppln_prc_ostk",
            "dspSchSttgDt": "dpprpd_bgd",
            "dspSchEdDt": "dpprpd_edd",
            "dspPrpsCtt": "dp_pp",
            "brkBrkrKrnFnm": "cs_iv_bk",
            "dspDecsDt": "dp_dd",
        },
    ),
    "Mna": (
        "cmpMgDecsn",
        {
            **_BOARD,
            "mracMthNm": "mg_mth",
            "mracFrmtNm": "mg_stn",
            "mracPrpsCtt": "mg_pp",
            "mracOpntCmpyNm": "mgptncmp_cmpnm",
            "mracOpntCmpyMainBizNm": "mgptncmp_mbsn",
            "cmpyRltNm": "mgptncmp_rl_cmpn",
            "mracOpntCmpyTastAmt": "rbsnfdtl_tast",
            "mracOpntCmpyTdbtAmt": "rbsnfdtl_tdbt",
            "mracOpntCmpyTcptAmt": "rbsnfdtl_teqt",
            "mracOpntCmpyCptlAmt": "rbsnfdtl_cpt",
            "mracOpntCmpySaleAmt": "rbsnfdtl_sl",
            "mracOpntCmpyCrtmNpf": "rbsnfdtl_nic",
            "mracCntrDt": "mgsc_mgctrd",
            "sthdFrmBasDt": "mgsc_shddstd",
            "gmshSchDt": "mgsc_gmtsck_prd",
            "mracDlnDt": "mgsc_mgdt",
            "mracRgstSchDt": "mgsc_mgrgsprd",
        },
    ),
    "StocSubsCertInhe": (
        "otcprStkInvscrInhDecsn",
        {
            **_BOARD,
            "issuCmpyNm": "iscmp_cmpnm",
            "issuCmpyNtnlNm": "iscmp_nt",
            "issuCmpyCptlAmt": "iscmp_cpt",
            "tisuStckCnt": "iscmp_tisstk",
            "issuCmpyRprNm": "iscmp_rp",
            "cmpyRltNm": "iscmp_rl_cmpn",
            "issuCmpyMainBizNm": "iscmp_mbsn",
            "inhtStckCnt": "inhdtl_stkcnt",
            "inhtAmt": "inhdtl_inhprc",
            "tastAmt": "inhdtl_tast",
            "tastRto": "inhdtl_tast_vs",
            "oselfCptlAm": "inhdtl_ecpt",
            "oselfCptlRto": "inhdtl_ecpt_vs",
            "afinOwnStckCnt": "atinh_owstkcnt",
            "afinShrRat": "atinh_eqrt",
            "inhtPrpsCtt": "inh_pp",
            "inhtSchDt": "inh_prd",
        },
    ),
    "BusiSusp": (
        "bsnSp",
        {
            **_BOARD,
            "bzopStopFildNm": "bsnsp_rm",
            "bzopStopAmt": "bsnsp_amt",
            "ltstTsleAmt": "rsl",
            "bzopStopAmtRto": "sl_vs",
            "bzopStopCtt": "bsnsp_cn",
            "bzopStopRsnCtt": "bsnsp_rs",
            "bzopStopCtpnCtt": "ft_ctp",
            "bzopStopDt": "bsnspd",
        },
    ),
    "Dish": (
        "dfOcr",
        {"dshCtt": "df_cn", "dshAmt": "df_amt", "dshOccrBnkNm": "df_bnk", "lastDshDt": "dfd", "dshRsnCtt": "df_rs"},
    ),
    "LitiEtc": (
        "lwstLg",
        {
            "lwstIcdtNm": "icnm",
            "lwstAplpnNm": "ac_ap",
            "lwstClmCtt": "rq_cn",
            "lwstJurdCurtNm": "cpct",
            "lwstRsltHcfhCtpnCtt": "ft_ctp",
            "lwstSggsDt": "lgd",
            "lwstAfrmDt": "cfd",
        },
    ),
}
"""Disclosure → (DART's operation, the regulator's column → DART's)."""


def plain(text: object) -> str:
    """A cell without Korean dates, separators and dashes."""
    word = str(text)
    if word == "-":
        return ""
    if word in _YES:
        return _YES[word]
    day = _HANGUL_DAY.fullmatch(word)
    if day is not None:
        return "".join(day.groups())
    return word.replace(",", "") if re.fullmatch(r"-?[\d,]+(?:\.\d+)?", word) else word


def disclosures(pool: Callable[[World], Sequence[Company]], kind: str) -> Handler:
    """Every event of a kind at the companies of a pool, newest first."""
    operation, columns = COLUMNS[kind]

    def build(world: World) -> tuple[Event, ...]:
        every = (event for company in pool(world) for event in events_of(world, company))
        return tuple(sorted((e for e in every if e.operation == operation), key=lambda e: e.decided_on, reverse=True))

    def handle(world: World, query: Query) -> Reply:
        events = world.table(f"market.events.{query.operation}", build)

        def make(event: Event) -> dict[str, Any]:
            terms = TERMS[operation](world, event)
            cells = {ours: plain(terms.get(theirs, "")) for ours, theirs in columns.items()}
            if "etcCptlAmt" in cells:
                cells["etcCptlAmt"] = _other_uses(terms)
            more = _capital_dates(event, cells) if kind == "CapiIncrWithCons" else {}
            return in_order(query, _names(event) | cells | more | {"ivsRefCtt": "해당사항 없음"})

        return select(query, events, _names, make)

    return handle


def _other_uses(terms: Mapping[str, Any]) -> str:
    """Uses of the money that have no column here, debts repaid and businesses bought among them."""
    others = sum(int(plain(terms.get(name, "")) or 0) for name in ("fdpp_etc", "fdpp_dtrp", "fdpp_bsninh"))
    return str(others) if others else ""


def _capital_dates(event: Event, cells: dict[str, str]) -> dict[str, str]:
    """Days and the price of new shares: the price is what all uses add up to, a share."""
    raised = sum(int(cells[name] or 0) for name in _MONEY)
    price = str(raised // int(cells["onskNstCnt"]))
    days = [business_day_from(event.decided_on + datetime.timedelta(days=after)) for after in (14, 40, 55)]
    return {
        "pfstNstCnt": "0",
        "bfciPfstIssuStckCnt": "0",
        "onskIssuFrmPric": price,
        "onskIssuSchPric": price,
        "nstAlctBasDt": compact(days[0]),
        "shcpPymtDt": compact(days[1]),
        "nstLstgSchDt": compact(days[2]),
        "nstDvdnRckDt": f"{event.decided_on.year}0101",
        "bodRsolDt": compact(event.decided_on),
    }


def _names(event: Event) -> dict[str, Any]:
    company = event.company
    return {
        "basDt": compact(event.decided_on),
        "crno": company.jurir_no,
        "enpCorpNm": company.name,
        "fncoCorpNm": company.name,
        "corpNm": company.name,
    }


_FINANCIAL: Final = {
    "getFnCoConvBondRighDiscInfo_V2": "CbRighIssu",
    "getFnCoReduOfCapiDiscInfo_V2": "ReduCapi",
    **{f"getFnCo{kind}DiscInfo_V2": kind for kind in COLUMNS if kind not in ("CbRighIssu", "ReduCapi", "Dish")},
}
HANDLERS: dict[str, Handler] = {
    **{f"get{kind}DiscInfo_V2": disclosures(reporting, kind) for kind in COLUMNS},
    **{operation: disclosures(financial, kind) for operation, kind in _FINANCIAL.items()},
}
