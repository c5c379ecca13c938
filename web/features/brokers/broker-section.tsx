// Broker section of the account page: absent where it is off, else not connected, connected, session ended, or not working.
import { useQuery, useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { brokersText as text } from '#shared/brokers/text/en.ts'
import { hasPremium } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'
import { FailureNotice, Notice } from '#web/ui/notice.tsx'
import { brokerQuery, useBrokerChanged, useKiteLogin } from './api.ts'
import { brokerRoutes, type BrokerConnection } from '#shared/brokers/contract.ts'
import { sentenceInPage } from '#web/lib/page-language.ts'
import { serverMessageOf, apiErrorOf } from '#web/lib/api-error.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { toast } from '#web/lib/toast.ts'
import { call } from '#web/lib/api.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { Form } from '#web/ui/form.tsx'

export interface BrokerSectionProps {
  readonly user: User
  /** Heading around the content; not drawn where there is nothing to offer. */
  readonly frame?: (content: ReactNode) => ReactNode
  /** Leaves the page for the Zerodha login. */
  readonly goTo?: (url: string) => void
}

/** Renders nothing on a site without broker connections, and until that is known. */
export function BrokerSection({ user, frame = (content) => content, goTo = (url) => window.location.assign(url) }: BrokerSectionProps) {
  const query = useQuery(brokerQuery)
  if (query.isLoadingError) return frame(<FailureNotice query={query} fallback={text.loadFailed} />)
  const { data } = query
  if (data === undefined || (data.connection === null && !data.isOffered)) return null
  const isPremium = hasPremium(user)
  if (data.connection !== null) return frame(<ConnectionCard connection={data.connection} isPremium={isPremium} goTo={goTo} />)
  if (!isPremium) return frame(<Notice text={text.needsPremium} />)
  return frame(
    <div className="grid gap-3">
      <div className="grid gap-4 md:grid-cols-2">
        <KiteForm redirectUrl={data.redirectUrl} hasKiteApp={data.hasKiteApp} goTo={goTo} />
        <OpenAlgoForm />
      </div>
      <p className="text-12 text-pretty text-text-3">{text.encrypted}</p>
    </div>,
  )
}

const tones = { login: 'text-warn', connected: 'text-ok', expired: 'text-warn', error: 'text-danger' } as const

interface ConnectionCardProps {
  readonly connection: BrokerConnection
  readonly isPremium: boolean
  readonly goTo: (url: string) => void
}

function ConnectionCard({ connection, isPremium, goTo }: ConnectionCardProps) {
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

interface KiteFormProps {
  readonly redirectUrl: string
  readonly hasKiteApp: boolean
  readonly goTo: (url: string) => void
}

function KiteForm({ redirectUrl, hasKiteApp, goTo }: KiteFormProps) {
  const [keys, setKeys] = useState({ apiKey: '', apiSecret: '' })
  const login = useKiteLogin(() => call(brokerRoutes.connectKite, { body: keys }), goTo)
  const fields = apiErrorOf(login.error)?.fields ?? {}
  const set = (part: Partial<typeof keys>) => {
    setKeys({ ...keys, ...part })
    if (!login.isIdle) login.reset()
  }
  return (
    <ConnectForm
      title={text.chooseKite}
      intro={hasKiteApp ? text.kiteOperator : text.kiteIntro}
      submitLabel={text.connectKite}
      isBusy={login.isPending}
      error={login.error}
      onSubmit={() => login.mutate()}
    >
      {!hasKiteApp && (
        <>
          <div className="flex items-end gap-2">
            <TextField label={text.redirectUrl} className="min-w-0 flex-1" value={redirectUrl} readOnly />
            <div className="pb-1.5 pointer-coarse:pb-0">
              <CopyButton value={redirectUrl} label={text.copyRedirectUrl} />
            </div>
          </div>
          <TextField
            label={text.apiKey}
            name="kite-api-key"
            autoComplete="off"
            spellCheck={false}
            value={keys.apiKey}
            error={fields['apiKey']}
            onChange={({ target }) => set({ apiKey: target.value })}
          />
          <TextField
            label={text.apiSecret}
            name="kite-api-secret"
            type="password"
            autoComplete="off"
            value={keys.apiSecret}
            error={fields['apiSecret']}
            onChange={({ target }) => set({ apiSecret: target.value })}
          />
        </>
      )}
    </ConnectForm>
  )
}

function OpenAlgoForm() {
  const [values, setValues] = useState({ url: '', apiKey: '' })
  const changed = useBrokerChanged()
  const connect = useMutation({
    mutationFn: async () => (await call(brokerRoutes.connectOpenAlgo, { body: values })).message,
    onSuccess(message) {
      toast({ kind: 'ok', text: message })
      changed()
    },
    gcTime: 0,
    meta: { isQuiet: true },
  })
  const fields = apiErrorOf(connect.error)?.fields ?? {}
  const set = (part: Partial<typeof values>) => {
    setValues({ ...values, ...part })
    if (!connect.isIdle) connect.reset()
  }
  return (
    <ConnectForm
      title={text.chooseOpenAlgo}
      intro={text.openAlgoIntro}
      submitLabel={text.connectOpenAlgo}
      isBusy={connect.isPending}
      error={connect.error}
      onSubmit={() => connect.mutate()}
    >
      <TextField
        label={text.url}
        name="openalgo-url"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        value={values.url}
        error={fields['url']}
        onChange={({ target }) => set({ url: target.value })}
      />
      <TextField
        label={text.apiKey}
        name="openalgo-api-key"
        type="password"
        autoComplete="off"
        value={values.apiKey}
        error={fields['apiKey']}
        onChange={({ target }) => set({ apiKey: target.value })}
      />
    </ConnectForm>
  )
}

interface ConnectFormProps {
  readonly title: string
  readonly intro: string
  readonly submitLabel: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onSubmit: () => void
  readonly children: ReactNode
}

function ConnectForm({ title, intro, submitLabel, isBusy, error, onSubmit, children }: ConnectFormProps) {
  const isAtField = Object.keys(apiErrorOf(error)?.fields ?? {}).length > 0
  return (
    <Form
      aria-label={title}
      className="flex min-w-0 flex-col gap-4 rounded-panel border border-line bg-surface p-4"
      onSubmit={() => {
        if (!isBusy) onSubmit()
      }}
    >
      <div className="grid gap-1">
        <h3 className="text-14 font-semibold">{title}</h3>
        <p className="text-13 text-pretty text-text-2">{intro}</p>
      </div>
      <div className="contents">{children}</div>
      {error !== null && !isAtField && (
        <p role="alert" className="text-12 text-danger">
          {serverMessageOf(error) ?? text.connectFailed}
        </p>
      )}
      <Button type="submit" className="mt-auto self-start" isBusy={isBusy} busyText={text.connecting}>
        {submitLabel}
      </Button>
    </Form>
  )
}
