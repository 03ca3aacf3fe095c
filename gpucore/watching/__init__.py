"""Watch a kernel of your own: :func:`gpucore.watch`."""
