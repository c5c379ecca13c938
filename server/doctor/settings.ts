// Judges the configuration itself.
import type { Config } from '#server/config/config.ts'
import { failed, ok, warning, type CheckResult } from './check.ts'

const page = 'docs/operating/configuration.md'

type CheckedConfig = Pick<Config, 'isProduction' | 'publicOrigin' | 'trustedProxies' | 'warnings' | 'unknownVariables'>

/** Results for the mode, the proxy and every unsafe or misspelt setting. */
export function settingsResults(config: CheckedConfig): CheckResult[] {
  const isPublic = config.publicOrigin?.startsWith('https:') === true
  const lines = [...config.warnings, ...config.unknownVariables]
  return [
    modeResult(config.isProduction, isPublic),
    ...(isPublic && config.trustedProxies.length === 0
      ? [
          warning(
            'proxy',
            'TRUSTED_PROXIES is not set: all visitors share one address and its rate limits',
            `Set it to the address of the reverse proxy, for example 127.0.0.1: ${page}`,
          ),
        ]
      : []),
    ...(lines.length === 0 ? [ok('settings', 'valid')] : lines.map((line) => warning('settings', line, `Correct it: ${page}`))),
  ]
}

function modeResult(isProduction: boolean, isPublic: boolean): CheckResult {
  if (isProduction) return ok('mode', 'NODE_ENV=production')
  const found = 'NODE_ENV is not production: demo prices, cheap settings and admins without a second factor are possible'
  return (isPublic ? failed : warning)('mode', found, 'Set NODE_ENV=production for a public site.')
}
