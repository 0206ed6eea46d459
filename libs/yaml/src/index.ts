export { yamlKeyText } from './construct';
export { YamlError, type YamlWarning } from './cursor';
export { loadYaml, locateYaml, type LocatedYaml, type YamlDocument, type YamlStep } from './load-yaml';
export type { YamlMapping, YamlNode, YamlPair, YamlScalar, YamlSequence } from './node';
export { printYaml, type PrintableYaml, type YamlLayout } from './print-yaml';
export { needsQuotes } from './resolve-scalar';
