export { aliasFormats, type AliasFormat, type WrittenFormat } from './alias-formats';
export { aliasHelp, type HelpLine, type HelpQuery, type HelpSource } from './alias-help';
export { checkAlias, type ActionAliasDraft } from './check-alias';
export { compileAliasFormat, type AliasParameters, type CompiledAliasFormat } from './compile-alias-format';
export { findMatch, type FoundMatch, type MatchSource } from './find-match';
export { checkAliasFormats, matchAlias, type MatchedAlias, type MatchOptions } from './match-alias';
