// Colours of a badge.
import type { MarketBadge } from '#shared/chart/market-badge.ts'

const tones = {
  ok: 'border-ok/40 text-ok',
  warn: 'border-warn/40 text-warn',
  danger: 'border-danger/50 text-danger',
  plain: 'border-line-strong text-text-2',
} as const

export function badgeClass({ tone }: MarketBadge): string {
  return `inline-flex min-w-0 items-center gap-1 rounded-control border px-1 py-px font-semibold tracking-wide ${tones[tone]}`
}
