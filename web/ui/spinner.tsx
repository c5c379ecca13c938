// Spinner that appears with a delay, so that fast operations do not flicker.
import { useEffect, useState } from 'react'

const waitMs = 400

export interface SpinnerProps {
  /** Read by screen readers; omit it if an adjacent text says the same. */
  readonly label?: string
  readonly className?: string
}

/** Appears after 400 ms; 16 px by default. */
export function Spinner({ label, className = 'size-4' }: SpinnerProps) {
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), waitMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <span role={label === undefined ? undefined : 'status'} className={`inline-block shrink-0 ${className}`}>
      {isShown && (
        <span aria-hidden className="block size-full animate-spin rounded-full border-2 border-current border-t-transparent opacity-80" />
      )}
      {label !== undefined && <span className="sr-only">{label}</span>}
    </span>
  )
}
