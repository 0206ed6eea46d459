// The texts of the console: found in the sources, where macros of Lingui mark them, and compiled for the browser, which does not
// parse any. English texts stay at their places in the code, so that a page is loaded with its own texts only.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@babel/core';
import extractMessages from '@lingui/babel-plugin-extract-messages';
import macros from '@lingui/babel-plugin-lingui-macro';
import { formatter } from '@lingui/format-po';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';

const SOURCES = fileURLToPath(new URL('src', import.meta.url));
const LOCALES = join(SOURCES, 'locales');
const SOURCE_LANGUAGE = 'en';

/** What is read of the configuration of Lingui, which is otherwise searched for in files. */
const linguiConfig = {
  macro: { corePackage: ['@lingui/core/macro'], jsxPackage: ['@lingui/react/macro'] },
  runtimeConfigModule: {
    i18n: ['@lingui/core', 'i18n'],
    useLingui: ['@lingui/react', 'useLingui'],
    Trans: ['@lingui/react', 'Trans'],
  },
};

const hasMacros = (code) => /from '@lingui\/\w+\/macro'/.test(code);

const transformed = (code, path, plugins) =>
  transformSync(code, {
    filename: path,
    babelrc: false,
    configFile: false,
    sourceMaps: true,
    parserOpts: { plugins: ['typescript', 'jsx'] },
    plugins,
  });

/** The code with calls in place of macros. They contain the English messages, compiled. */
function withoutMacros(code, path) {
  if (!hasMacros(code)) return undefined;
  const { code: result, map } = transformed(code, path, [
    [macros, { linguiConfig, stripMessageField: false }],
    withCompiledMessages,
  ]);
  return { code: result, map };
}

/** A plug-in for Babel: compiles the messages that macros have left, which are those whose id fits. */
function withCompiledMessages({ types }) {
  const visitor = {
    ObjectProperty({ node, parent }) {
      if (node.key.name !== 'message' || node.value.type !== 'StringLiteral') return;
      const textOf = (name) => parent.properties.find(({ key }) => key?.name === name)?.value.value;
      const message = node.value.value;
      if (generateMessageId(message, textOf('context')) === textOf('id'))
        node.value = types.valueToNode(compileMessageOrThrow(message));
    },
  };
  // After the macros.
  return { visitor: { Program: { exit: (program) => program.traverse(visitor) } } };
}

function messagesIn(code, path) {
  const found = [];
  if (!hasMacros(code)) return found;
  transformed(code, path, [
    [macros, { extract: true, linguiConfig, stripMessageField: false }],
    [extractMessages, { onMessageExtracted: (message) => found.push(message) }],
  ]);
  return found;
}

/** All messages of the sources by their id, in the order of files and places. */
function messagesOfSources() {
  const messages = new Map();
  for (const path of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.tsx?$/.test(path)) continue;
    const found = messagesIn(readFileSync(join(SOURCES, path), 'utf8'), path);
    for (const { id, message, context, comment, placeholders } of found) {
      const known = messages.get(id) ?? { message, context, comments: [], placeholders: {}, origins: new Set() };
      if (comment !== undefined && !known.comments.includes(comment)) known.comments.push(comment);
      for (const [name, value] of Object.entries(placeholders)) known.placeholders[name] ??= [value];
      known.origins.add(path.replaceAll('\\', '/'));
      messages.set(id, known);
    }
  }
  return messages;
}

const catalogueFormat = formatter({ lineNumbers: false });
const place = (locale) => ({ locale, sourceLocale: SOURCE_LANGUAGE, filename: `${locale}.po` });

/** The languages that have a file of translations. */
const translatedLanguages = () =>
  readdirSync(LOCALES)
    .filter((name) => name.endsWith('.po'))
    .map((name) => name.slice(0, -'.po'.length));

const textOf = (locale) => readFileSync(join(LOCALES, `${locale}.po`), 'utf8');
const translationsOf = (locale) => catalogueFormat.parse(textOf(locale), place(locale));

/** The text of a catalogue: the head of an earlier one, and the messages of the sources with the translations that there are. */
function catalogueText(messages, locale, existing, translations) {
  const catalogue = Object.fromEntries(
    [...messages].map(([id, { origins, ...message }]) => [
      id,
      { ...message, translation: translations[id]?.translation ?? '', origin: [...origins].map((path) => [path]) },
    ]),
  );
  return catalogueFormat.serialize(catalogue, { ...place(locale), existing });
}

const EMPTY = `msgid ""
msgstr ""
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
`;

/** The generated files by their path in this folder: the template for translators, and each translation. */
export function catalogueFiles() {
  const messages = messagesOfSources();
  return Object.fromEntries([
    ['src/locales/messages.pot', catalogueText(messages, '', EMPTY, {})],
    ...translatedLanguages().map((locale) => [
      `src/locales/${locale}.po`,
      catalogueText(messages, locale, textOf(locale), translationsOf(locale)),
    ]),
  ]);
}

/** The translations as the browser needs them. What is not translated is English. */
function compiled(messages, translations) {
  const translated = [...messages.keys()].filter((id) => translations[id]?.translation);
  return Object.fromEntries(translated.map((id) => [id, compileMessageOrThrow(translations[id].translation)]));
}

const LANGUAGES = 'virtual:languages';

/** For Vite: replaces the macros, and makes a module of each catalogue. */
export function messagesPlugin() {
  return {
    name: 'messages',
    enforce: 'pre',
    /** The browser fetches the chunks together, and not one after the other. */
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const links = chunksOfApp(bundle).map(({ fileName }) => ({
          rel: 'modulepreload',
          crossorigin: true,
          href: `./${fileName}`,
        }));
        return links
          .filter(({ href }) => !html.includes(href))
          .map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' }));
      },
    },
    transform(code, id) {
      if (!id.startsWith(SOURCES) || !/\.tsx?$/.test(id)) return undefined;
      return withoutMacros(code, id);
    },
    resolveId: (id) => (id.startsWith(LANGUAGES) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${LANGUAGES}`)) return undefined;
      const locale = id.slice(LANGUAGES.length + 2);
      if (locale === '') return languagesModule();
      const catalogue = JSON.stringify(compiled(messagesOfSources(), translationsOf(locale)));
      return `export const messages = JSON.parse(${JSON.stringify(catalogue)});`;
    },
  };
}

/** The chunks that a page needs in any case, first the one that is loaded once the language is known. */
function chunksOfApp(bundle) {
  const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
  const needed = new Set(chunks.filter(({ isDynamicEntry, name }) => isDynamicEntry && name === 'app'));
  for (const { imports } of needed) for (const name of imports) needed.add(bundle[name]);
  return [...needed];
}

/** A module with a function for each language but English, which loads its messages. */
function languagesModule() {
  const loaders = translatedLanguages().map(
    (locale) => `${JSON.stringify(locale)}: () => import(${JSON.stringify(`${LANGUAGES}/${locale}`)})`,
  );
  return `export const languages = { ${loaders.join(', ')} };`;
}
