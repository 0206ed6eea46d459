"""References such as `core.local`."""

__all__ = ["InvalidReferenceError", "InvalidResourceReferenceError", "ResourceReference"]

PACK_SEPARATOR = "."


class InvalidReferenceError(ValueError):
    def __init__(self, ref):
        self.ref = ref
        self.message = "Invalid reference: %s" % ref
        super().__init__(self.message)


class InvalidResourceReferenceError(ValueError):
    def __init__(self, ref):
        self.ref = ref
        self.message = "Invalid resource reference: %s" % ref
        super().__init__(self.message)


class ResourceReference:
    """The reference of a resource in a pack."""

    def __init__(self, pack=None, name=None):
        """:raises ValueError: if one of the two is missing, or the name of the pack contains a dot"""
        self.ref = self.to_string_reference(pack, name)
        self.pack = pack
        self.name = name

    @staticmethod
    def is_resource_reference(ref):
        return PACK_SEPARATOR in ref

    @staticmethod
    def from_string_reference(ref):
        return ResourceReference(ResourceReference.get_pack(ref), ResourceReference.get_name(ref))

    @staticmethod
    def to_string_reference(pack=None, name=None):
        if not pack or not name:
            raise ValueError("Both pack and name needed for building ref. pack=%s, name=%s" % (pack, name))
        return PACK_SEPARATOR.join([ResourceReference.validate_pack_name(pack), name])

    @staticmethod
    def validate_pack_name(pack):
        if PACK_SEPARATOR in pack:
            raise ValueError('Pack name should not contain "%s"' % PACK_SEPARATOR)
        return pack

    @staticmethod
    def get_pack(ref):
        return _part(ref, 0)

    @staticmethod
    def get_name(ref):
        return _part(ref, 1)

    def __eq__(self, other):
        return isinstance(other, ResourceReference) and self.ref == other.ref

    def __hash__(self):
        return hash(self.ref)

    def __repr__(self):
        return "<ResourceReference pack=%s,name=%s,ref=%s>" % (self.pack, self.name, self.ref)


def _part(ref, index):
    try:
        return ref.split(PACK_SEPARATOR, 1)[index]
    except (IndexError, AttributeError):
        raise InvalidResourceReferenceError(ref=ref) from None
