"""Training: TRL toolset classes and the reward. torch and trl load only where they are used."""
