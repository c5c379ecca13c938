// Texts of messages to the operator about failures.
import { texts } from '../texts.ts'
import { systemStatusText } from './system-status.ts'

const { checkNames, steps } = systemStatusText

type CheckName = keyof typeof checkNames

const list = (details: readonly string[]): string => (details.length === 0 ? '' : ` (${details.join(', ')})`)

export interface Check {
  readonly name: CheckName
  readonly details: readonly string[]
}

export const systemAlertsText = texts('systemAlerts', {
  failingSubject: (brand: string, checks: readonly Check[]) =>
    `${brand}: ${checks.map(({ name }) => checkNames[name].toLowerCase()).join(', ')} failing`,
  failingLine: (check: Check, minutes: number) =>
    `${checkNames[check.name]}${list(check.details)} has been failing for ${minutes === 1 ? '1 minute' : `${minutes} minutes`}. ${steps[check.name]}`,
  recoveredSubject: (brand: string) => `${brand}: all checks pass again`,
  recoveredLine: (name: CheckName) => `${checkNames[name]} works again.`,
  testSubject: (brand: string) => `${brand}: test of the alerts`,
  sentBy: (host: string) => `Sent by the Tezi process on ${host}.`,
})
