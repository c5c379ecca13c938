// The last good backup.
import type { SystemStatus } from '#shared/system-status/contract.ts'
import { systemStatusText as text } from '#shared/system-status/text/en.ts'
import { ageText, indiaDateTime } from '#web/lib/india-date.ts'
import { FactGrid } from '#web/ui/fact-grid.tsx'

export function BackupFacts({ status: { backup, checks, nowMs } }: { readonly status: SystemStatus }) {
  if (backup === null) {
    const isOff = checks.some(({ name, state }) => name === 'backup' && state === 'off')
    return <StatusNote title={text.backup} sentence={isOff ? text.backupOff : text.backupUnreadable} />
  }
  const at = (ms: number | null): string => timeAndAge(ms, nowMs)
  return (
    <section aria-label={text.backup} className="grid gap-2">
      <h2 className="text-14 font-semibold">{text.backup}</h2>
      <FactGrid
        columns={3}
        facts={[
          { name: text.lastReached, value: at(backup.reachedMs), isWrong: backup.reachedMs === null },
          { name: text.lastBase, value: at(backup.baseMs), isWrong: backup.baseMs === null },
          { name: text.lastVerified, value: at(backup.verifiedMs) },
        ]}
      />
    </section>
  )
}

/** What there is to say instead of figures. */
export function StatusNote({ title, sentence }: { readonly title: string; readonly sentence: string }) {
  return (
    <section aria-label={title} className="grid gap-1">
      <h2 className="text-14 font-semibold">{title}</h2>
      <p className="text-13 text-text-2">{sentence}</p>
    </section>
  )
}

/** Date, time and age; *Never* for null. */
export function timeAndAge(ms: number | null, nowMs: number): string {
  if (ms === null) return text.never
  const iso = new Date(ms).toISOString()
  return text.age(indiaDateTime(iso), ageText(iso, nowMs))
}
