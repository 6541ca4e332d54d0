"""The sender of the built site to browsers of this network, and the way to a broker behind it."""
