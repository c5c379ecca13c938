// A small turning ring that waits before it shows, so that quick work never flickers.
import { useEffect, useState } from 'react'

const waitMs = 400

export interface SpinnerProps {
  /** Read out by screen readers; leave out where a text beside it says the same. */
  readonly label?: string
  readonly className?: string
}

/** Shows after 400 ms; takes the size of 16 px unless a class says otherwise. */
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
