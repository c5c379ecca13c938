// Small copy button that briefly shows its result.
import { useEffect, useState } from 'react'
import { kitText as text } from '#shared/base/text/en-kit.ts'
import { cn } from '#web/lib/cn.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { Button } from './button.tsx'
import { CheckIcon, CopyIcon, ErrorIcon } from './icon.ts'

const saidForMs = 2000

/** The result of the last copy for two seconds, with its words and icon. */
export function useCopy(value: string) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), saidForMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const reported = outcome === undefined ? undefined : outcome === 'copied' ? text.copied : text.copyFailed
  const Icon = outcome === undefined ? CopyIcon : outcome === 'copied' ? CheckIcon : ErrorIcon
  return { reported, Icon, copy: () => void copyText(value).then((isCopied) => setOutcome(isCopied ? 'copied' : 'failed')) }
}

export function CopyButton({ value, label }: { readonly value: string; readonly label: string }) {
  const { reported, Icon, copy } = useCopy(value)
  return (
    <>
      <Button variant="outline" size="small" aria-label={reported ?? label} className="w-22 max-sm:w-11" onClick={copy}>
        <Icon aria-hidden className={cn('size-3.5', reported !== undefined && 'sm:hidden')} strokeWidth={1.5} />
        <span className="max-sm:sr-only">{reported ?? text.copy}</span>
      </Button>
      <output className="sr-only">{reported}</output>
    </>
  )
}
