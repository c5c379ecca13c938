// Instrument search by label, name, symbol and group, in any order and ignoring punctuation.
import { instruments, type Instrument } from '#shared/instruments/instruments.ts'

/** Match quality, best first. */
const ranks = { whole: 0, start: 1, wordStart: 2, inside: 3 } as const

/**
 * Instruments that match every word of the text, best first and then in menu order; all of them for
 * an empty text. Favourites precede others of the same rank.
 */
export function searchInstruments(text: string, favourites: readonly string[] = []): readonly Instrument[] {
  const words = plain(text)
    .split(' ')
    .filter((word) => word !== '')
  const rows = instruments.flatMap((instrument) => {
    const rank = rankOf(instrument, words)
    return rank === undefined ? [] : [{ instrument, rank, favourite: favourites.indexOf(instrument.slug) }]
  })
  const place = (at: number) => (at === -1 ? Number.POSITIVE_INFINITY : at)
  return rows
    .toSorted((one, other) => one.rank - other.rank || compare(place(one.favourite), place(other.favourite)))
    .map(({ instrument }) => instrument)
}

/** Infinity minus Infinity is NaN. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one - other
}

function rankOf({ label, name, slug, symbol, group }: Instrument, words: readonly string[]): number | undefined {
  if (words.length === 0) return ranks.whole
  // A text may omit punctuation of the label: EURUSD for EUR/USD.
  const joined = words.join('')
  const names = [label, slug, symbol.split(':')[1] ?? ''].map((part) => plain(part).replaceAll(' ', ''))
  if (names.includes(joined)) return ranks.whole
  if (names.some((part) => part.startsWith(joined))) return ranks.start
  const all = [label, name, slug, symbol, group ?? ''].map(plain).join(' ')
  const fits = words.map((word) =>
    ` ${all}`.includes(` ${word}`)
      ? ranks.wordStart
      : all.includes(word) || names.some((part) => part.includes(word))
        ? ranks.inside
        : undefined,
  )
  return fits.reduce<number | undefined>((worst, fit) => (worst === undefined || fit === undefined ? undefined : Math.max(worst, fit)), 0)
}

/** Lower case, without accents, punctuation replaced by spaces. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9&]+/g, ' ')
    .trim()
}
