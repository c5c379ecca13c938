// All texts by name, for the server and for other languages; the browser loads the files that it shows.
import { accountText } from './account.ts'
import { decisionText } from './admin-decisions.ts'
import { adminInstrumentsText } from './admin-instruments.ts'
import { adminMarketText } from './admin-market.ts'
import { planAdminText } from './admin-plans.ts'
import { adminScreensText } from './admin-screens.ts'
import { adminText } from './admin.ts'
import { appText } from './app.ts'
import { auditText } from './audit.ts'
import { authText, authServerText } from './auth.ts'
import { brokersText } from './brokers.ts'
import { calendarListText } from './calendar-list.ts'
import { calendarText } from './calendar.ts'
import { chartText } from './chart.ts'
import { datesText } from './dates.ts'
import { emailText } from './email.ts'
import { factorsText } from './factors.ts'
import { httpText, httpServerText } from './http.ts'
import { instrumentsServerText, instrumentsText } from './instruments.ts'
import { instrumentNotes } from './instrument-notes.ts'
import { kitText } from './kit.ts'
import { landingText } from './landing.ts'
import { liveText, liveServerText } from './live.ts'
import { loginText } from './login.ts'
import { mailOutboxText } from './mail-outbox.ts'
import { marketText } from './market.ts'
import { planText } from './plans.ts'
import { privacyNoticeText } from './privacy-notice.ts'
import { privacyText } from './privacy.ts'
import { purchaseText } from './purchase.ts'
import { rolesText } from './roles.ts'
import { sessionEndedText } from './session-ended.ts'
import { shortcutsText } from './shortcuts.ts'
import { signInLimitsText } from './sign-in-limits.ts'
import { signOutText } from './sign-out.ts'
import { sourceText } from './sources.ts'
import { statusPagesText } from './status-pages.ts'
import { studyText, provenanceText, provenanceShort, inputText, plotText } from './studies.ts'
import { actorText } from './subscription-actors.ts'
import { statusText } from './statuses.ts'
import { studyGuide } from './study-guide.ts'
import { studyPanelText } from './study-panel.ts'
import { subscriptionEndText } from './subscription-end.ts'
import { subscriptionText, subscriptionServerText } from './subscriptions.ts'
import { toggleText } from './toggles.ts'
import { systemAlertsText } from './system-alerts.ts'
import { systemStatusText } from './system-status.ts'
import { workspaceText } from './workspace.ts'

export const english = {
  account: accountText,
  admin: adminText,
  adminDecisions: decisionText,
  adminInstruments: adminInstrumentsText,
  adminMarket: adminMarketText,
  adminPlans: planAdminText,
  adminScreens: adminScreensText,
  app: appText,
  audit: auditText,
  auth: { ...authText, ...authServerText },
  brokers: brokersText,
  calendar: calendarText,
  calendarList: calendarListText,
  chart: chartText,
  dates: datesText,
  email: emailText,
  factors: factorsText,
  http: { ...httpText, ...httpServerText },
  instruments: { ...instrumentsText, ...instrumentsServerText },
  instrumentNotes: instrumentNotes,
  kit: kitText,
  landing: landingText,
  live: { ...liveText, ...liveServerText },
  login: loginText,
  mailOutbox: mailOutboxText,
  market: marketText,
  plans: planText,
  privacy: privacyText,
  privacyNotice: privacyNoticeText,
  purchase: purchaseText,
  roles: rolesText,
  sessionEnded: sessionEndedText,
  shortcuts: shortcutsText,
  signInLimits: signInLimitsText,
  signOut: signOutText,
  sources: sourceText,
  statusPages: statusPagesText,
  statuses: statusText,
  subscriptionActors: actorText,
  studies: studyText,
  studyGuide: studyGuide,
  studyInputs: inputText,
  studyPanel: studyPanelText,
  studyPlots: plotText,
  studyProvenance: provenanceText,
  studyProvenanceShort: provenanceShort,
  subscriptionEnd: subscriptionEndText,
  subscriptions: { ...subscriptionText, ...subscriptionServerText },
  systemAlerts: systemAlertsText,
  systemStatus: systemStatusText,
  toggles: toggleText,
  workspace: workspaceText,
}

/** All texts; what a translation has to provide. */
export type Texts = typeof english
