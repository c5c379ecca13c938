// Text of the privacy notice: data, purpose, retention, rights, age, contact.
import { useId, type ReactNode } from 'react'
import { noticeVersion } from '#shared/privacy/notice-version.ts'
import { privacyNoticeText as text } from '#shared/privacy/text/en-notice.ts'
import { indiaDate } from '#web/lib/india-date.ts'
import { site } from '#web/lib/site.ts'

/** Works without network or account. */
export function PrivacyNotice() {
  return (
    <div className="grid gap-10">
      <div>
        <h1 className="text-28 leading-tight font-semibold tracking-tight">{text.title}</h1>
        <p className="mt-1 text-12 text-text-3 tabular-nums">{text.versionOf(indiaDate(noticeVersion))}</p>
        <p className="mt-4 max-w-prose text-14 text-pretty text-text-2">{text.intro(site.brandName)}</p>
      </div>
      <Part title={text.itemsTitle}>
        <Items />
      </Part>
      <Part title={text.notTitle}>
        <List sentences={text.not} />
      </Part>
      <Part title={text.rightsTitle}>
        <List sentences={text.rights} />
      </Part>
      <Part title={text.adultTitle}>
        <p className="max-w-prose text-14 text-pretty text-text-2">{text.adultText}</p>
      </Part>
      <Part title={text.contactTitle}>
        <div className="grid max-w-prose gap-3 text-14 text-pretty text-text-2">
          <p>{text.contactText}</p>
          <p>{text.breachText}</p>
          <p>
            <a
              href={site.supportUrl}
              target="_blank"
              rel="noreferrer"
              className="rounded-control text-accent underline underline-offset-2 pointer-coarse:py-3"
            >
              {text.contactLink}
            </a>
          </p>
        </div>
      </Part>
    </div>
  )
}

/** A table on wide screens; on a phone one block per kind of data. */
function Items() {
  const [data, why, howLong] = text.itemsHead
  return (
    <table className="block text-left text-13 sm:table sm:w-full sm:table-fixed">
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line text-12 text-text-3">
          {[data, why, howLong].map((head) => (
            <th key={head} scope="col" className="py-2 pr-6 font-medium">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block divide-y divide-line sm:table-row-group">
        {text.items.map(([name, reason, time]) => (
          <tr key={name} className="block py-3 align-top sm:table-row sm:py-0">
            <th scope="row" className="block font-medium text-pretty sm:table-cell sm:py-3 sm:pr-6">
              {name}
            </th>
            <td className="block text-pretty text-text-2 sm:table-cell sm:py-3 sm:pr-6">{reason}</td>
            <td className="block text-pretty text-text-2 sm:table-cell sm:py-3">{time}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function List({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <ul className="grid max-w-prose list-disc gap-2 pl-5 text-14 text-pretty text-text-2">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-4">
      <h2 id={id} className="border-b border-line pb-2 text-16 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
