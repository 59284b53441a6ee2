"""Gyeonggi: its 31 시군 with their businesses, facilities, events, shelters, roads and buses."""
