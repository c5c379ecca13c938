// The only error that services throw on purpose, and its body on the wire.
import { english } from '#shared/messages/english.ts'
import type { MessageCode, PlainCode } from '#shared/messages/message.ts'
import { findSentence, type Message, type Param } from '#shared/text/texts.ts'
import { statusByKind, type ErrorKind, type Problem } from './api-error.ts'
import type { Challenge } from './proof.ts'

interface WireMessage {
  code: string
  params?: Param[]
}

/** A sentence by its code, with its parameters if it has some. */
export type MessageOf = PlainCode | Message<MessageCode>

export interface AppErrorDetails {
  /** Message per form field. */
  readonly fields?: Readonly<Record<string, MessageOf>>
  readonly retryAfterSeconds?: number
  /** With too-many: solving it allows one attempt at once. */
  readonly challenge?: Challenge
}

/** `server/http/handle-error.ts` maps it to HTTP. Its `message` is the English sentence of the code. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly kind: ErrorKind
  readonly wireMessage: WireMessage
  readonly details: AppErrorDetails

  constructor(kind: ErrorKind, message: MessageOf, details: AppErrorDetails = {}) {
    super(inEnglish(message))
    this.kind = kind
    this.wireMessage = asMessage(message)
    this.details = details
  }

  get status(): number {
    return statusByKind[this.kind]
  }
}

/** Body of an error response; `error` repeats the message because the specified screens read either field. */
export function problemOf(error: AppError, requestId?: string): Problem {
  const { fields, challenge } = error.details
  return {
    success: false,
    message: error.message,
    error: error.message,
    ...error.wireMessage,
    statuscode: error.status,
    ...(fields === undefined ? {} : { fields: byField(fields, inEnglish), fieldCodes: byField(fields, asMessage) }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(challenge === undefined ? {} : { challenge }),
  }
}

/** The part of a response that reports success: the English sentence and its code. */
export function done(message: MessageOf) {
  return { success: true as const, message: inEnglish(message), ...asMessage(message) }
}

/** The English sentence of a message. */
export function inEnglish(message: MessageOf): string {
  return findSentence(english, asMessage(message)) ?? ''
}

/** True for the code of a sentence without parameters. */
export function isCode(text: string): text is PlainCode {
  return findSentence(english, { code: text }) !== undefined
}

function asMessage(message: MessageOf): WireMessage {
  if (typeof message === 'string') return { code: message }
  return { code: message.code, ...(message.params === undefined ? {} : { params: [...message.params] }) }
}

function byField<To>(fields: Readonly<Record<string, MessageOf>>, to: (message: MessageOf) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(fields).map(([field, message]) => [field, to(message)]))
}
