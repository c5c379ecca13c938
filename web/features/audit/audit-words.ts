// Formats audit log entries: names of actions, and details as a list of changed values.
import { parseJson } from '#shared/base/safe-json.ts'
import { indiaDateTime, none } from '#web/lib/india-date.ts'

type Pairs = Readonly<Record<string, unknown>>

const valueCharsMax = 40
const isoMoment = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

/** 'plan-updated' becomes 'Plan updated'. */
export function actionWords(action: string): string {
  const words = action.replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** JSON pairs as 'months 3, price 999 → 1099'; anything but a JSON object is unchanged. */
export function detailWords(details: string): string {
  const value = parseJson(details)
  return isPairs(value) ? pairWords(value) : details
}

function pairWords({ before, after, ...others }: Pairs): string {
  const rest = Object.entries(others).map(([name, value]) => `${nameWords(name)} ${valueWords(value)}`)
  if (before === undefined && after === undefined) return rest.join(', ')
  if (!isPairs(before ?? {}) || !isPairs(after ?? {})) return [`${valueWords(before)} → ${valueWords(after)}`, ...rest].join(', ')
  return [...changeWords((before ?? {}) as Pairs, (after ?? {}) as Pairs), ...rest].join(', ')
}

/** Unchanged values, and values known on one side only, are shown once. */
function changeWords(before: Pairs, after: Pairs): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => {
    const words = [name in before ? before : after, name in after ? after : before].map((side) => valueWords(side[name]))
    return `${nameWords(name)} ${[...new Set(words)].join(' → ')}`
  })
}

function valueWords(value: unknown): string {
  if (value === null || value === undefined) return none
  if (isPairs(value)) return `(${pairWords(value)})`
  if (typeof value !== 'string') return JSON.stringify(value)
  if (isoMoment.test(value)) return indiaDateTime(value)
  return value.length > valueCharsMax ? `${value.slice(0, valueCharsMax)}…` : value
}

/** 'premiumEnd' becomes 'premium end'. */
function nameWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function isPairs(value: unknown): value is Pairs {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
