"""Process definitions: published versions of models that never change."""
