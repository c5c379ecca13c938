// The language of the page, chosen once per page load: its name, and the sentences of the server in it.
import { findSentence, type Catalogue, type Message, type Translate } from '#shared/text/texts.ts'

export interface PageLanguage {
  /** The texts of a file, while the modules of the app are evaluated. */
  readonly translate: Translate
  /** All texts, for the messages of the server; called after `translate` is installed. */
  readonly catalogue: () => Promise<Catalogue>
}

let catalogue: Catalogue | undefined

/** Texts by name, for messages of the server; undefined for English, which the server sends. */
export function setCatalogue(texts: Catalogue | undefined): void {
  catalogue = texts
}

/** The sentence of a message that came with an English one. */
export function sentenceInPage(message: Message & { readonly message: string }): string {
  return (catalogue && findSentence(catalogue, message)) ?? message.message
}

/**
 * A response with the sentences of the page's language in place of the server's, where their codes are known.
 * Messages are at the top (`message`, `error`, `fields`); other responses are returned unchanged.
 */
export function inPageLanguage(body: unknown): unknown {
  const texts = catalogue
  if (texts === undefined || !isRecord(body) || typeof body['code'] !== 'string' || typeof body['message'] !== 'string') return body
  const translated = findSentence(texts, body as unknown as Message)
  const codes = (body['fieldCodes'] ?? {}) as Readonly<Record<string, Message>>
  const fields = Object.entries((body['fields'] ?? {}) as Readonly<Record<string, string>>).map(([field, sentence]) => {
    const message = codes[field]
    return [field, (message && findSentence(texts, message)) ?? sentence]
  })
  return {
    ...body,
    ...(translated === undefined ? {} : { message: translated }),
    ...(translated === undefined || body['error'] === undefined ? {} : { error: translated }),
    ...(body['fields'] === undefined ? {} : { fields: Object.fromEntries(fields) }),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
