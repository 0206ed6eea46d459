export { aliasFormats, type AliasFormat, type WrittenFormat } from './alias-formats';
export { aliasHelp, type HelpLine, type HelpQuery, type HelpSource } from './alias-help';
export { compileAliasFormat, type AliasParameters, type CompiledAliasFormat } from './compile-alias-format';
export { checkAliasFormats, matchAlias, type AliasMatch, type MatchOptions } from './match-alias';
