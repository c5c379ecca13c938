// Reads the answer to a subscription request as the spec orders it: error or message, text of a refusal, or its own sentence.
import { subscriptionText } from '#shared/text/en/subscriptions.ts'

export interface SubmitOutcome {
  readonly isDone: boolean
  readonly message: string
  /** Sentence about the reference itself, where the refusal named it. */
  readonly referenceFault: string | undefined
  /** The plan or the own status is not what the form shows any more. */
  readonly isOutdated: boolean
}

/** Never throws. */
export function readSubmit(status: number, body: unknown): SubmitOutcome {
  const answer = isRecord(body) ? body : {}
  const error = words(answer['error'])
  if (status < 400 && error === undefined && answer['success'] !== false) {
    return { isDone: true, message: words(answer['message']) ?? subscriptionText.submitted, referenceFault: undefined, isOutdated: false }
  }
  const message = error ?? words(answer['message']) ?? plainText(body) ?? subscriptionText.submitFailed
  const fields = isRecord(answer['fields']) ? answer['fields'] : {}
  return { isDone: false, message, referenceFault: words(fields['utrNo']), isOutdated: status === 409 || status === 404 }
}

/** A sentence, but not the page of a proxy that answered in our place. */
function plainText(body: unknown): string | undefined {
  const text = words(body)
  return text === undefined || text.trimStart().startsWith('<') ? undefined : text.slice(0, 200)
}

function words(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
