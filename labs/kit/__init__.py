"""What all labs share: kernels to edit, pictures, exercises."""
