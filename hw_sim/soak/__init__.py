"""The cup passed on and on by seats that do nothing else, on media that do everything wrong."""
