// Pseudo-locale: English with accents, 40 % longer and with Devanagari, which shows texts left in code and layouts that clip.
import type { Catalogue } from '#shared/text/texts.ts'
import type { PageLanguage } from '#web/lib/page-language.ts'

const plain = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const accented = 'ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýž'
/** Grapheme clusters, so that a vowel sign is never cut from its consonant. */
const padding = ['न', 'मू', 'ना', ' ', 'ले', 'ख', ' ']
const longerBy = 0.4

/** The text with accents and padding; parts given by a caller, such as names, stay as they are. */
export function pseudo(text: string, given: readonly string[] = []): string {
  if (!/[A-Za-z]/.test(text)) return text
  const size = Math.ceil([...text].length * longerBy)
  const tail = Array.from({ length: size }, (_, index) => padding[index % padding.length]).join('')
  return `${parts(text, given).join('')}${text.includes(' ') ? ' ' : ''}${tail.trimEnd()}`
}

function parts(text: string, given: readonly string[]): string[] {
  const kept = given.filter((part) => /[A-Za-z]/.test(part)).toSorted((a, b) => b.length - a.length)
  const first = kept.find((part) => text.includes(part))
  if (first === undefined) return [text.replace(/[A-Za-z]/g, (letter) => accented[plain.indexOf(letter)] ?? letter)]
  return text.split(first).flatMap((part, index) => [...(index === 0 ? [] : [first]), ...parts(part, kept)])
}

/** Texts of any shape: strings, functions of parameters, lists and groups. */
export function pseudoOf(value: unknown, given: readonly string[] = []): unknown {
  if (typeof value === 'string') return pseudo(value, given)
  if (typeof value === 'function') return (...params: unknown[]) => pseudoOf(value(...params), stringsIn(params))
  if (Array.isArray(value)) return value.map((one) => pseudoOf(one, given))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, pseudoOf(one, given)]))
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

export const pseudoLocale: PageLanguage = {
  translate: (_name, english) => pseudoOf(english) as object,
  catalogue: async (): Promise<Catalogue> => (await import('#shared/messages/english.ts')).english,
}
