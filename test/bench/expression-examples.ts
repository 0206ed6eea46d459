export interface Example {
  /** The expression as written in a definition. */
  readonly text: string;
  /** Whether it iterates over the whole list of hosts. */
  readonly isLong?: boolean;
}

export const YAQL_EXAMPLES: readonly Example[] = [
  { text: '<% succeeded() %>' },
  { text: '<% ctx(name) %>' },
  { text: '<% ctx().limits.memory.mb %>' },
  { text: '<% ctx(count) + 1 %>' },
  { text: '<% succeeded() and result().return_code = 0 %>' },
  { text: 'Host <% ctx(name) %> has <% ctx(limits).cpu %>' },
  { text: '<% ctx(hosts).where($.up).select($.name) %>', isLong: true },
  { text: '<% ctx(hosts).where($.port > 8002).orderBy(-$.port).first().name %>', isLong: true },
];

export const JINJA_EXAMPLES: readonly Example[] = [
  { text: '{{ succeeded() }}' },
  { text: '{{ ctx("name") }}' },
  { text: '{{ ctx().limits.memory.mb }}' },
  { text: '{{ ctx().count + 1 }}' },
  { text: '{{ succeeded() and result().return_code == 0 }}' },
  { text: 'Host {{ ctx().name }} has {{ ctx().limits.cpu }}' },
  { text: '{{ ctx().hosts | selectattr("up") | map(attribute="name") | list }}', isLong: true },
  { text: '{% for host in ctx().hosts if host.up %}{{ host.name }} {% endfor %}', isLong: true },
];
