// Output of `npx tezi config`: each setting with its effective value and origin. Secrets are never included.
import { defaultsOf, rejectedSettings, settingNames } from './config.ts'
import type { Environment } from './env-file.ts'

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
  const defaults = defaultsOf(values)
  const rejected = rejectedSettings(values)
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
