// An entry of the audit log as a sentence that a person reads.
import { indiaDayText } from '#shared/base/india-day-text.ts'
import { parseJson } from '#shared/base/parse-json.ts'
import { auditText as text } from '#shared/audit/text/en.ts'

/** What a sentence needs of an entry. */
export interface AuditSentenceEntry {
  readonly actor: string
  /** Present name of the account; null without one. */
  readonly actorName: string | null
  readonly action: string
  readonly target: string
  readonly targetName: string | null
  /** JSON. */
  readonly details: string
}

type Values = Readonly<Record<string, unknown>>
type Sentence = (actor: string, target: string) => string

/** For example 'Priya accepted Arjun's request, premium until 22 Feb 2027'. */
export function auditSentence(row: AuditSentenceEntry): string {
  const [actor, target] = [actorOf(row), row.targetName ?? row.target]
  const details = valuesOf(parseJson(row.details))
  const [before, after] = [valuesOf(details['before']), valuesOf(details['after'])]
  if (row.action === 'sign-in-failed') return row.target === 'unknown account' ? text.signInUnknown : text.signInFailed(target)
  if (row.action === 'role-changed') return (after['role'] === 'admin' ? text.promoted : text.demoted)(actor, target)
  if (row.action === 'subscription-months')
    return withEnd(text.months(actor, target, String(before['months']), String(after['months'])), after['premiumEnd'])
  if (row.action === 'subscription-accept') {
    const accepted = before['status'] === 'cancel' ? text.acceptedAgain : text.sentences['subscription-accept']
    return withEnd(accepted(actor, target), after['premiumEnd'])
  }
  const sentences: Readonly<Record<string, Sentence>> = text.sentences
  const sentence = Object.hasOwn(sentences, row.action) ? sentences[row.action] : undefined
  return sentence === undefined ? text.other(actor, actionName(row.action), target) : sentence(actor, target)
}

/** An action of another version: 'plan-updated' becomes 'Plan updated'. */
function actionName(action: string): string {
  const words = action.replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

function actorOf({ actor, actorName }: Pick<AuditSentenceEntry, 'actor' | 'actorName'>): string {
  if (actor === 'operator at the machine') return text.operator
  return actor === 'configuration' ? text.configuration : (actorName ?? actor)
}

function withEnd(sentence: string, end: unknown): string {
  return typeof end === 'string' && !Number.isNaN(Date.parse(end)) ? text.until(sentence, indiaDayText(end)) : sentence
}

function valuesOf(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {}
}
