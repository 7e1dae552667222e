# inspector
