// Header of screens outside the app shell: logo link and optional content.
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { appText } from '#shared/app/text/en.ts'
import { Logo } from '#web/ui/logo.tsx'
import { paths } from '../paths.ts'

export function PlainHeader({ children }: { readonly children?: ReactNode }) {
  return (
    <header className="flex h-14 items-center justify-between border-b border-line bg-surface px-4 sm:px-6">
      <Link to={paths.home} className="flex rounded-control pointer-coarse:py-3">
        <Logo />
        <span className="sr-only">{appText.homepage}</span>
      </Link>
      {children}
    </header>
  )
}
