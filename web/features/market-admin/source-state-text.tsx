// State of a price source as a dot and a word.
import { adminMarketText as text } from '#shared/market-admin/text/en.ts'
import type { SourceState } from './group-sources.ts'

const looks: Readonly<Record<SourceState, { readonly dot: string; readonly word: string }>> = {
  'in-use': { dot: 'bg-ok', word: 'text-ok' },
  ready: { dot: 'bg-text-2', word: 'text-text' },
  generated: { dot: 'bg-warn', word: 'text-warn' },
  untested: { dot: 'bg-line-strong', word: 'text-text-2' },
  failing: { dot: 'bg-danger', word: 'text-danger' },
  'not-used': { dot: 'bg-line-strong', word: 'text-text-3' },
}

export function SourceDot({ state }: { readonly state: SourceState }) {
  return <span aria-hidden className={`size-1.5 shrink-0 -translate-y-px rounded-full ${looks[state].dot}`} />
}

export function SourceStateText({ state }: { readonly state: SourceState }) {
  return <span className={`whitespace-nowrap ${looks[state].word}`}>{text.sourceStates[state]}</span>
}
