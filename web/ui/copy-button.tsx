// A small button that copies a text and says for a moment that it did.
import { useEffect, useState } from 'react'
import { purchaseText as text } from '#shared/text/en/purchase.ts'
import { classes } from '#web/lib/classes.ts'
import { Button } from './button.tsx'
import { CheckIcon, CopyIcon, ErrorIcon } from './icon.ts'

const saidForMs = 2000

export function CopyButton({ value, label }: { readonly value: string; readonly label: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), saidForMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const said = outcome === undefined ? undefined : outcome === 'copied' ? text.copied : text.copyFailed
  const Icon = outcome === undefined ? CopyIcon : outcome === 'copied' ? CheckIcon : ErrorIcon
  return (
    <>
      <Button
        variant="outline"
        size="small"
        aria-label={said ?? label}
        className="w-22 max-sm:w-11"
        onClick={() => void copy(value).then(setOutcome)}
      >
        <Icon aria-hidden className={classes('size-3.5', said !== undefined && 'sm:hidden')} strokeWidth={1.5} />
        <span className="max-sm:sr-only">{said ?? text.copy}</span>
      </Button>
      <output className="sr-only">{said}</output>
    </>
  )
}

/** Browsers refuse it without a secure connection; the text stands on the page to be selected by hand. */
async function copy(value: string): Promise<'copied' | 'failed'> {
  try {
    await navigator.clipboard.writeText(value)
    return 'copied'
  } catch {
    return 'failed'
  }
}
