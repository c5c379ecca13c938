// What the operator sees of the settings: effective values and origins without secrets, and misspelt names.
import type { Environment } from './environment.ts'
import { defaultsByMode, environmentSchema, parseEnvironment, settingNames } from './environment-schema.ts'

export interface EffectiveSetting {
  readonly name: string
  /** The value as the operator wrote it; for a secret only that it is set, and roughly how long it is. */
  readonly value: string
  /** `environment`, `default` or the name of the settings file. */
  readonly origin: string
}

/** Also matches future names of secrets, so that they are masked by default. */
const secretName = /KEY|SECRET|PASSWORD|TOKEN|CREDENTIAL/

/** All settings in schema order. */
export function effectiveSettings({ values, originOf }: Pick<Environment, 'values' | 'originOf'>): EffectiveSetting[] {
  const defaults: Readonly<Record<string, unknown>> = {
    ...environmentSchema.parse({}),
    ...defaultsByMode(values['NODE_ENV'] === 'production'),
  }
  const rejected = new Set(parseEnvironment(values).error?.issues.map((issue) => issue.path.join('.')))
  return settingNames.map((name) => {
    const value = values[name]
    const origin = value === undefined || value === '' ? undefined : originOf(name)
    if (value === undefined || origin === undefined) return { name, value: textOf(defaults[name]), origin: 'default' }
    // A rejected value may be a secret on the wrong line.
    const isSecret = rejected.has(name) || secretName.test(name)
    return { name, value: isSecret ? masked(value) : withoutCredentials(value), origin }
  })
}

/** Length classes, because an exact length would help an attacker. */
function masked(secret: string): string {
  const { length } = secret
  const size = length < 16 ? 'less than 16' : length < 32 ? '16 to 31' : length < 64 ? '32 to 63' : '64 or more'
  return `(set, ${size} characters)`
}

/** URLs, also within JSON, without user, password and query. */
function withoutCredentials(value: string): string {
  return value.replaceAll(/(:\/\/)[^/?#"\s]*@/g, '$1***@').replaceAll(/([a-z]:\/\/[^?"\s]*\?)[^"\s]+/g, '$1***')
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  if (Array.isArray(value) && value.some((item) => typeof item === 'object'))
    return value.map((item: object) => Object.values(item).join(' ')).join('; ')
  if (value instanceof Set || value instanceof Map || Array.isArray(value)) return [...value].join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Variables of other programs that look like ours: Node's own, those that Kubernetes sets for each service, a proxy for http. */
const foreign = /^NODE_|_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP)|^http_proxy$/i

/**
 * One line for each unknown variable that either has a known prefix (`SMTP_`) or is at most two edits
 * away from a known one; one edit for names of less than eight letters, because HOME is two from HOST. Values are not repeated.
 */
export function unknownVariables(names: readonly string[]): string[] {
  const prefixes = new Set(settingNames.flatMap((name) => /^[A-Z0-9]+_/.exec(name)?.[0] ?? []))
  return names
    .filter((name) => !settingNames.includes(name) && /^\w{2,80}$/.test(name) && !foreign.test(name))
    .flatMap((name) => {
      const upper = name.toUpperCase()
      const close = settingNames.find((other) => editDistance(upper, other) <= (other.length < 8 ? 1 : 2))
      if (close !== undefined) return [`${name} is not a setting of Tezi and has no effect. Did you mean ${close}?`]
      return [...prefixes].some((prefix) => upper.startsWith(prefix)) ? [`${name} is not a setting of Tezi and has no effect`] : []
    })
    .toSorted()
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = next
  }
  return last[to.length] ?? 0
}
