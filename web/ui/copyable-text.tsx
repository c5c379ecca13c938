// A reference or address, wrapped or shortened where it is long, with a copy button.
import { cn } from '#web/lib/cn.ts'
import { useCopy } from './copy-button.tsx'
import { RowButton } from './row-button.tsx'

export interface CopyableTextProps {
  readonly value: string
  /** Accessible name of the copy button. */
  readonly label: string
  /** Shortens a transaction hash in the middle; it is copied and named in full. */
  readonly isShort?: boolean
  readonly className?: string
}

/** Longer than any bank reference or order id. */
const shortMax = 32

export function CopyableText({ value, label, isShort = false, className }: CopyableTextProps) {
  const { reported, Icon, copy } = useCopy(value)
  const shown = isShort && value.length > shortMax ? `${value.slice(0, 6)}…${value.slice(-4)}` : value
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span
        // Selecting a shortened text would copy the dots.
        title={shown === value ? undefined : value}
        className={cn(
          'min-w-0 max-md:max-w-full',
          shown === value ? 'whitespace-normal [overflow-wrap:anywhere] select-all' : 'whitespace-nowrap',
          className,
        )}
      >
        {shown}
      </span>
      <RowButton label={reported ?? label} onClick={copy}>
        <Icon aria-hidden className="size-3.5" strokeWidth={1.5} />
      </RowButton>
      <output className="sr-only">{reported}</output>
    </span>
  )
}
