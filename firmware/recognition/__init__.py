"""The parts of the recognizer: motion and shakes, light, touch."""
