// Parses the response to a subscription request as the specification requires: error or message, error text, or a default.
import { subscriptionText } from '#shared/text/en/subscriptions.ts'

export interface SubmitResult {
  readonly isDone: boolean
  readonly message: string
  /** Error message of the reference field, if the server named it. */
  readonly referenceIssue: string | undefined
  /** The plan or the user's status differs from what the form shows. */
  readonly isOutdated: boolean
}

/** Never throws. */
export function parseSubmitResponse(status: number, body: unknown): SubmitResult {
  const response = isRecord(body) ? body : {}
  const error = nonEmptyText(response['error'])
  if (status < 400 && error === undefined && response['success'] !== false) {
    return {
      isDone: true,
      message: nonEmptyText(response['message']) ?? subscriptionText.submitted,
      referenceIssue: undefined,
      isOutdated: false,
    }
  }
  const message = error ?? nonEmptyText(response['message']) ?? plainText(body) ?? subscriptionText.submitFailed
  const fields = isRecord(response['fields']) ? response['fields'] : {}
  return { isDone: false, message, referenceIssue: nonEmptyText(fields['utrNo']), isOutdated: status === 409 || status === 404 }
}

/** A message, but not the HTML page of a proxy. */
function plainText(body: unknown): string | undefined {
  const text = nonEmptyText(body)
  return text === undefined || text.trimStart().startsWith('<') ? undefined : text.slice(0, 200)
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
