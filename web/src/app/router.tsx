/** Public pages, the guarded layout with the pages of the table, and where everything else leads. */
import { lazy, Suspense } from 'react';
import { createBrowserRouter, Navigate, Outlet, useLocation } from 'react-router';
import { useSession } from '@/session/session';
import { site } from '@/site';
import { Layout } from './Layout';
import { Page } from './Page';
import { routes } from './routes';
import { Failed, StatusPage } from './StatusPage';

const Login = lazy(() => import('./Login'));

/** Leads to the sign-in page and back; a new person gets a new layout. */
function Guarded() {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (!session) return <Navigate to="/login" replace state={{ from: pathname + search }} />;
  return <Layout key={session.userId} />;
}

export const router = createBrowserRouter([
  {
    element: <Outlet />,
    errorElement: <Failed />,
    children: [
      {
        path: '/login',
        element: (
          <Suspense>
            <Login />
          </Suspense>
        ),
      },
      { path: '/404', element: <StatusPage kind="notFound" /> },
      { path: '/403', element: <StatusPage kind="forbidden" /> },
      { path: '/500', element: <StatusPage kind="failed" /> },
      {
        element: <Guarded />,
        children: [
          { path: '/', element: <Navigate to={site.home} replace /> },
          ...routes.map((route) => ({
            path: route.path,
            element: <Page route={route} />,
            errorElement: <Failed />,
          })),
        ],
      },
      { path: '*', element: <Navigate to="/404" replace /> },
    ],
  },
]);
