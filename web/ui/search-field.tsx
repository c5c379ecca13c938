// Debounced search input.
import { useEffect, useState } from 'react'
import { cn } from '#web/lib/cn.ts'
import { SearchIcon } from './icon.ts'

const restMs = 300

export interface SearchFieldProps {
  readonly label: string
  readonly placeholder: string
  /** Current search; an outside change, for example the back button, replaces the typed text. */
  readonly value: string
  readonly onSearch: (text: string) => void
  readonly className?: string
}

export function SearchField({ label, placeholder, value, onSearch, className }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const [lastValue, setLastValue] = useState(value)
  if (value !== lastValue) {
    setLastValue(value)
    if (value !== typed.trim()) setTyped(value)
  }
  useEffect(() => {
    if (typed.trim() === value) return undefined
    const timer = setTimeout(() => onSearch(typed.trim()), restMs)
    return () => clearTimeout(timer)
  }, [typed, value, onSearch])
  return (
    <div className={cn('relative', className)}>
      <SearchIcon
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2 size-4 -translate-y-1/2 text-text-3"
        strokeWidth={1.5}
      />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        title={placeholder}
        value={typed}
        maxLength={100}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => setTyped(event.target.value)}
        className={`${smallFieldClass} w-full pl-8 text-ellipsis`}
      />
    </div>
  )
}

export const smallFieldClass =
  'h-8 rounded-control border border-line-strong bg-canvas px-2 text-13 text-text placeholder:text-text-3 transition-colors hover:border-text-3 focus-visible:border-focus focus-visible:outline-offset-0 pointer-coarse:h-11 pointer-coarse:text-16'
