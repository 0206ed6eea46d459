import { repr } from '../values/text';

/** `namespace(a=1)`: the one object whose fields a template may set, so that loops can keep a value. */
export class Namespace {
  private readonly fields = new Map<string, unknown>();

  attribute(name: string): unknown {
    return this.fields.get(name);
  }

  set(name: string, value: unknown): void {
    this.fields.set(name, value);
  }

  text(): string {
    return `<Namespace ${repr(this.fields)}>`;
  }
}
