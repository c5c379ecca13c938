// Stored broker connection: status, one-click renewal, deletion after a confirmation.
import { useMutation } from '@tanstack/react-query'
import { brokerRoutes, type BrokerConnection } from '#shared/brokers/contract.ts'
import { brokersText as text } from '#shared/brokers/text/en.ts'
import { sentenceInPage } from '#web/lib/page-language.ts'
import { serverMessageOf } from '#web/lib/api-error.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { toast } from '#web/lib/toast.ts'
import { call } from '#web/lib/api.ts'
import { useBrokerChanged, useKiteLogin } from './api.ts'

const tones = { login: 'text-warn', connected: 'text-ok', expired: 'text-warn', error: 'text-danger' } as const

export interface ConnectionCardProps {
  readonly connection: BrokerConnection
  readonly isPremium: boolean
  readonly goTo: (url: string) => void
}

export function ConnectionCard({ connection, isPremium, goTo }: ConnectionCardProps) {
  const { broker, state, address, connectedAt, expiresAt, message, code = '' } = connection
  const login = useKiteLogin(() => call(brokerRoutes.renewKite), goTo)
  const notes = [
    !isPremium ? text.paused : message === null ? text.connectedNote : sentenceInPage({ code, message }),
    ...(address === null ? [] : [address]),
    text.since(indiaDateTime(connectedAt)),
    ...(state === 'connected' && expiresAt !== null ? [text.until(indiaDateTime(expiresAt))] : []),
  ]
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-panel border border-line bg-surface px-4 py-3">
      <div className="min-w-44 flex-1">
        <p className="text-13 font-medium">
          {text.names[broker]} <span className={`text-12 font-normal ${tones[state]}`}>{text.state[state]}</span>
        </p>
        {notes.map((note) => (
          <p key={note} className="text-12 text-pretty text-text-2 tabular-nums [overflow-wrap:anywhere]">
            {note}
          </p>
        ))}
        {login.error !== null && (
          <p role="alert" className="text-12 text-danger">
            {serverMessageOf(login.error) ?? text.connectFailed}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {broker === 'kite' && isPremium && (
          <Button
            variant={state === 'connected' ? 'outline' : 'solid'}
            size="small"
            isBusy={login.isPending}
            busyText={text.connecting}
            onClick={() => login.mutate()}
          >
            {state === 'login' ? text.signIn : text.renew}
          </Button>
        )}
        <Disconnect />
      </div>
    </div>
  )
}

function Disconnect() {
  const changed = useBrokerChanged()
  const disconnect = useMutation({
    mutationFn: async () => (await call(brokerRoutes.disconnect)).message,
    onSuccess: (message) => toast({ kind: 'ok', text: message }),
    onSettled: changed,
    meta: { failureText: text.disconnectFailed },
  })
  return (
    <ConfirmButton
      label={text.disconnect}
      variant="danger"
      size="small"
      title={text.disconnectTitle}
      question={text.disconnectText}
      isBusy={disconnect.isPending}
      onConfirm={(close) => disconnect.mutate(undefined, { onSettled: close })}
    />
  )
}
