// Formats the details of audit log entries as a list of named values: what changed, and from what.
import { parseJson } from '#shared/base/parse-json.ts'
import { auditText as text } from '#shared/audit/text/en.ts'
import { indiaDateTime, none } from '#web/lib/india-date.ts'

type Pairs = Readonly<Record<string, unknown>>

const valueCharsMax = 40
const isoMoment = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/
/** Row numbers of the database; the sentence says what happened. */
const internals: ReadonlySet<string> = new Set(['change', 'undoes', 'version'])
/** Groups whose values speak for themselves. */
const groups: ReadonlySet<string> = new Set(['filter', 'licences', 'counts'])

/** JSON pairs as 'Months: 3 · Price: 999 → 1099'; anything but a JSON object is unchanged. */
export function auditDetailsText(details: string): string {
  const value = parseJson(details)
  return isPairs(value) ? pairTexts(value).join(' · ') : details
}

function pairTexts({ before, after, ...others }: Pairs): readonly string[] {
  const rest = Object.entries(others).flatMap(([name, value]) => namedTexts(name, value))
  if (before === undefined && after === undefined) return rest
  if (!isPairs(before ?? {}) || !isPairs(after ?? {})) return [`${valueText(before)} → ${valueText(after)}`, ...rest]
  return [...changeTexts((before ?? {}) as Pairs, (after ?? {}) as Pairs), ...rest]
}

/** A value that is known on one side only is shown once, an unchanged one not at all. */
function changeTexts(before: Pairs, after: Pairs): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    if (!(name in before)) return namedTexts(name, after[name])
    if (!(name in after)) return namedTexts(name, before[name])
    const [was, is] = [valueText(before[name], name), valueText(after[name], name)]
    if (was === is || internals.has(name)) return []
    return [name === 'image' ? text.imageChanged : `${labelOf(name)}: ${was} → ${is}`]
  })
}

/** Nothing for what is empty, and for the fingerprint of an image. */
function namedTexts(name: string, value: unknown): readonly string[] {
  const isEmpty = value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  if (isEmpty || internals.has(name) || name === 'image') return []
  if (!isPairs(value)) return [`${labelOf(name)}: ${valueText(value, name)}`]
  const inner = pairTexts(value)
  if (inner.length === 0) return []
  return groups.has(name) ? inner : [`${labelOf(name)} (${inner.join(', ')})`]
}

function valueText(value: unknown, name = ''): string {
  if (value === null || value === undefined || value === '') return none
  if (typeof value === 'boolean') return value ? text.yes : text.no
  if (isPairs(value)) return `(${pairTexts(value).join(', ')})`
  if (Array.isArray(value)) return value.map((one) => valueText(one)).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  if (isoMoment.test(value)) return indiaDateTime(value)
  const words = lookUp(lookUp(text.detailValues, name) ?? {}, value) ?? value
  return words.length > valueCharsMax ? `${words.slice(0, valueCharsMax)}…` : words
}

/** A name of another version: 'premiumEnd' becomes 'Premium end'. */
function labelOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return lookUp(text.detailNames, name) ?? words.slice(0, 1).toUpperCase() + words.slice(1)
}

function lookUp<Value>(words: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined
}

function isPairs(value: unknown): value is Pairs {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
