// Figures of the process that answered.
import type { SystemStatus } from '#shared/system-status/contract.ts'
import { adminMarketText } from '#shared/text/en/admin-market.ts'
import { systemStatusText as text } from '#shared/text/en/system-status.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { FactGrid, type Fact } from '#web/ui/fact-grid.tsx'
import { timeAndAge } from './backup-facts.tsx'

const whole = (value: number): string => formatNumber(value, 0, 'en-IN')

export function ProcessFacts({ status }: { readonly status: SystemStatus }) {
  const { database, live, hashes, hub, mails } = status
  const count = (name: string, value: number): Fact => ({ name, value: whole(value) })
  const facts: readonly Fact[] = [
    { name: text.runningSince, value: timeAndAge(status.startedAtMs, status.nowMs) },
    { name: text.connections, value: text.connectionsOf(whole(database.used), whole(database.max)) },
    { ...count(text.waitingConnections, database.waiting), isWrong: database.waiting > 0 },
    count(text.sockets, live.sockets),
    count(text.blockedSockets, live.blocked),
    { name: text.hub, value: adminMarketText.hubPlaces[hub], isWrong: hub === 'silent' },
    count(text.signInsWaiting, hashes.signIn.waiting),
    count(text.hashesWaiting, hashes.other.waiting),
    ...(mails === null
      ? []
      : [
          count(text.mailsSent, mails.sent),
          { ...count(text.mailsFailed, mails.failed), isWrong: mails.failed > 0 },
          count(text.mailsUnderWay, mails.underWay),
        ]),
  ]
  return (
    <section aria-label={text.process} className="grid gap-2">
      <h2 className="text-14 font-semibold">{text.process}</h2>
      <FactGrid columns={3} facts={facts} />
    </section>
  )
}
