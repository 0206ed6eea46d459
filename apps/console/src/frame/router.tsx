import { t } from '@lingui/core/macro';
import { createHashRouter, Navigate, useParams } from 'react-router';
import { ErrorPage } from './error-page';
import { ConsoleFrame } from './frame';

/**
 * The pages by their address, which is in the fragment: the paths of the origin belong to the API. Each page is loaded when it is
 * opened.
 */
export const router = createHashRouter([
  {
    path: '/',
    Component: ConsoleFrame,
    errorElement: <ErrorPage />,
    children: [
      {
        errorElement: <ErrorPage />,
        children: [
          { index: true, lazy: async () => ({ Component: (await import('../overview/overview-page')).OverviewPage }) },
          { path: 'history', lazy: async () => ({ Component: (await import('../history/history-page')).HistoryPage }) },
          {
            path: 'history/:id',
            lazy: async () => ({ Component: (await import('../execution/execution-page')).ExecutionPage }),
          },
          {
            path: 'history/:id/compare/:other',
            lazy: async () => ({ Component: (await import('../compare/compare-page')).ComparePage }),
          },
          // Addresses of StackStorm's console: `/history/ID/general`, `/history/ID/code`.
          { path: 'history/:id/*', Component: ToExecution },
          { path: 'actions', lazy: async () => ({ Component: (await import('../actions/actions-page')).ActionsPage }) },
          {
            path: 'actions/:ref',
            lazy: async () => ({ Component: (await import('../actions/action-page')).ActionPage }),
          },
          { path: 'actions/:ref/*', Component: ToAction },
          {
            path: 'workflows/new',
            lazy: async () => ({ Component: (await import('../editor/new-workflow-page')).NewWorkflowPage }),
          },
          {
            path: 'workflows/:ref/edit',
            lazy: async () => ({ Component: (await import('../editor/edit-workflow-page')).EditWorkflowPage }),
          },
          { path: 'rules', lazy: async () => ({ Component: (await import('../rules/rules-page')).RulesPage }) },
          { path: 'rules/:ref', lazy: async () => ({ Component: (await import('../rules/rule-page')).RulePage }) },
          { path: 'events', lazy: async () => ({ Component: (await import('../events/events-page')).EventsPage }) },
          { path: 'events/:id', lazy: async () => ({ Component: (await import('../events/event-page')).EventPage }) },
          {
            path: 'inquiries',
            lazy: async () => ({ Component: (await import('../inquiries/inquiries-page')).InquiriesPage }),
          },
          { path: 'packs', lazy: async () => ({ Component: (await import('../packs/packs-page')).PacksPage }) },
          { path: 'packs/:ref', lazy: async () => ({ Component: (await import('../packs/pack-page')).PackPage }) },
          {
            path: 'datastore',
            lazy: async () => ({ Component: (await import('../datastore/datastore-page')).DatastorePage }),
          },
          {
            path: 'triggers',
            lazy: async () => ({ Component: (await import('../triggers/triggers-page')).TriggersPage }),
          },
          {
            path: 'triggers/:ref',
            lazy: async () => ({ Component: (await import('../triggers/trigger-page')).TriggerTypePage }),
          },
          {
            path: 'webhooks',
            lazy: async () => ({ Component: (await import('../webhooks/webhooks-page')).WebhooksPage }),
          },
          { path: 'timers', lazy: async () => ({ Component: (await import('../timers/timers-page')).TimersPage }) },
          {
            path: 'apikeys',
            lazy: async () => ({ Component: (await import('../api-keys/api-keys-page')).ApiKeysPage }),
          },
          { path: 'audit', lazy: async () => ({ Component: (await import('../audit/audit-page')).AuditPage }) },
          {
            path: 'audit/:id',
            lazy: async () => ({ Component: (await import('../audit/audit-record-page')).AuditRecordPage }),
          },
          {
            path: 'sessions',
            lazy: async () => ({ Component: (await import('../session/sessions-page')).SessionsPage }),
          },
          { path: 'status', lazy: async () => ({ Component: (await import('../status/status-page')).StatusPage }) },
          { path: 'sensors', lazy: async () => ({ Component: (await import('../sensors/sensors-page')).SensorsPage }) },
          {
            path: 'sensors/:ref',
            lazy: async () => ({ Component: (await import('../sensors/sensor-page')).SensorPage }),
          },
          {
            path: 'policies',
            lazy: async () => ({ Component: (await import('../policies/policies-page')).PoliciesPage }),
          },
          {
            path: 'policies/:ref',
            lazy: async () => ({ Component: (await import('../policies/policy-page')).PolicyPage }),
          },
          { path: 'aliases', lazy: async () => ({ Component: (await import('../aliases/aliases-page')).AliasesPage }) },
          { path: 'roles', lazy: async () => ({ Component: (await import('../roles/roles-page')).RolesPage }) },
          {
            path: 'roles/users/:name',
            lazy: async () => ({ Component: (await import('../roles/user-page')).UserPage }),
          },
          { path: '*', Component: UnknownAddress },
        ],
      },
    ],
  },
]);

function ToExecution() {
  const { id = '' } = useParams();
  return <Navigate to={`/history/${id}`} replace />;
}

function ToAction() {
  const { ref = '' } = useParams();
  return <Navigate to={`/actions/${ref}`} replace />;
}

function UnknownAddress(): never {
  throw new Error(t`There is no page at this address. Choose one in the navigation.`);
}
