// Layout of a broker form: instructions, fields, error and button.
import type { ReactNode } from 'react'
import { brokersText as text } from '#shared/brokers/text/en.ts'
import { apiErrorOf, serverMessageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'

export interface ConnectFormProps {
  readonly title: string
  readonly intro: string
  readonly submitLabel: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onSubmit: () => void
  readonly children: ReactNode
}

export function ConnectForm({ title, intro, submitLabel, isBusy, error, onSubmit, children }: ConnectFormProps) {
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
