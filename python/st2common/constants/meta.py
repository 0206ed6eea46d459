"""Reading YAML files."""

ALLOWED_EXTS = [".yaml", ".yml"]


def yaml_safe_load(stream):
    import yaml

    return yaml.load(stream, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def yaml_safe_dump(data, **options):
    import yaml

    return yaml.dump(data, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), **options)


PARSER_FUNCS = {extension: yaml_safe_load for extension in ALLOWED_EXTS}
