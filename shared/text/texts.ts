// Texts by language: English is in the code, another language is installed before the modules of the app are evaluated.

/** The shape of a text in any language: the same keys, and functions of the same parameters. */
export type Translation<T> = T extends string
  ? string
  : T extends (...params: infer Params) => infer Result
    ? (...params: Params) => Translation<Result>
    : { readonly [Key in keyof T]: Translation<T[Key]> }

/** The texts of one name in the language of the page. */
export type Translate = (name: string, english: object) => object

let translate: Translate | undefined

/**
 * The texts of one name in the installed language, or in English.
 * Texts of one name may be cut into several objects; the build leaves out those that the browser does not use.
 */
/* @__NO_SIDE_EFFECTS__ */
export function texts<const T extends object>(name: string, english: T): Translation<T> {
  return (translate === undefined ? english : translate(name, english)) as Translation<T>
}

/** Installs a language for this page load. Texts that were evaluated before stay as they are. */
export function installTexts(language: Translate | undefined): void {
  translate = language
}

export type Param = string | number

/** A message as data: its code is `name.key` of its text, and its parameters are those of the text. */
export interface Message<Code extends string = string> {
  readonly code: Code
  readonly params?: readonly Param[] | undefined
}

type Sentence = string | ((...params: never[]) => string)

/** The sentence of a message in these texts, with its placeholders filled. */
export function formatMessage<Key extends string>(
  from: Readonly<Record<Key, Sentence>>,
  { code, params = [] }: Message<`${string}.${Key}`>,
): string {
  const sentence = from[code.slice(code.indexOf('.') + 1) as Key]
  return typeof sentence === 'string' ? sentence : sentence(...(params as never[]))
}

/** A failed check of a field, with its sentence in these texts. */
export function issueIn<Field extends string, Key extends string>(
  from: Readonly<Record<Key, Sentence>>,
  issue: (Message<`${string}.${Key}`> & { readonly field: Field }) | undefined,
): { readonly field: Field; readonly message: string } | undefined {
  return issue === undefined ? undefined : { field: issue.field, message: formatMessage(from, issue) }
}

/** Texts by their names. */
export type Catalogue = Readonly<Record<string, object>>

/** The sentence of a message in these texts; undefined for a code that they do not have. */
export function findSentence(catalogue: Catalogue, { code, params }: Message): string | undefined {
  const from = catalogue[code.slice(0, code.indexOf('.'))] as Readonly<Record<string, Sentence>> | undefined
  const key = code.slice(code.indexOf('.') + 1)
  return from !== undefined && Object.hasOwn(from, key) ? formatMessage(from, { code: `.${key}`, params }) : undefined
}
