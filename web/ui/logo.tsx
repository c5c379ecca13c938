// Logo: three rising candles, the last one hollow, and the brand name.
import { site } from '#web/lib/site.ts'

/** The symbol alone; the class sets its size. */
export function LogoMark({ className = 'size-6' }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden className={className} fill="none">
      <g className="stroke-accent" strokeWidth="1.5" strokeLinecap="round">
        <path d="M4 9.5v9M10 5v10M16 1.5v10" />
      </g>
      <g className="fill-accent">
        <rect x="2" y="11.5" width="4" height="5" rx="0.75" />
        <rect x="8" y="7" width="4" height="6" rx="0.75" />
      </g>
      <rect x="14.75" y="3.75" width="2.5" height="5" rx="0.5" className="fill-canvas stroke-accent" strokeWidth="1.5" />
    </svg>
  )
}

/** Symbol and brand name. */
export function Logo({ className = '' }: { readonly className?: string }) {
  return (
    <span className={`inline-flex items-center gap-2 ${className}`}>
      <LogoMark />
      <span className="text-16 font-semibold tracking-tight text-text">{site.brandName}</span>
    </span>
  )
}
