/** Public pages, the guarded layout with the pages of the table, and where everything else leads. */
import { lazy, Suspense } from 'react';
import { createBrowserRouter, Navigate, Outlet, type RouteObject, useLocation } from 'react-router';
import { Leaving } from '@/kit/leaving';
import { useStored } from '@/kit/useStored';
import { lock } from '@/session/lock';
import { useMenu } from '@/session/rights';
import { currentSession, useSession } from '@/session/session';
import { site } from '@/site';
import { firstBelow } from './leaves';
import { Page } from './Page';
import { routes } from './routes';
import { Failed, StatusPage } from './StatusPage';
import { withTexts } from './texts';

const loadLayout = async () => ({ default: (await import('./Layout')).Layout });
const Layout = lazy(loadLayout);
const Login = lazy(() => import('./Login'));
const LockPage = lazy(() => import('./Lock'));
const EditPassword = lazy(() => import('./EditPassword'));
const Plate = lazy(() => withTexts('app/PlateEntry', () => import('./PlateEntry')));

/** Fetches the frame of the pages beside the entry's own code where somebody is signed in. The sign-in page does without. */
if (currentSession()) loadLayout().catch(() => undefined);

/** While it is locked every address leads to the lock, and from there to where it pointed. */
function Locked() {
  const session = useSession();
  const { locked } = useStored(lock);
  const { pathname, search } = useLocation();
  if (session && locked && pathname !== '/lock')
    return <Navigate to="/lock" replace state={{ from: pathname + search }} />;
  return (
    <>
      <Outlet />
      <Leaving />
    </>
  );
}

/** Leads to the sign-in page and back; a new person gets a new layout. */
function Guarded() {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session?.mustChange) return <Navigate to="/editPassword" replace />;
  if (!session) return <Navigate to="/login" replace state={{ from: pathname + search }} />;
  return (
    <Suspense>
      <Layout key={session.userId} />
    </Suspense>
  );
}

/** A group's own address leads to the first page of it that the person has. */
function FirstBelow({ path }: { path: string }) {
  const { data } = useMenu();
  if (!data) return null;
  return <Navigate to={firstBelow(data, path) ?? '/403'} replace />;
}

export const pages: RouteObject[] = [
  {
    element: <Locked />,
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
      {
        path: '/lock',
        element: (
          <Suspense>
            <LockPage />
          </Suspense>
        ),
      },
      {
        path: '/editPassword',
        element: (
          <Suspense>
            <EditPassword />
          </Suspense>
        ),
      },
      {
        path: '/scan/:token',
        element: (
          <Suspense>
            <Plate />
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
          { path: '/equip', element: <FirstBelow path="/equip" /> },
          ...routes.map((route) => ({
            path: route.path,
            element: <Page route={route} />,
            errorElement: <Failed />,
          })),
          // The address stays, to be put right, and so does the menu.
          { path: '*', element: <StatusPage kind="notFound" inside /> },
        ],
      },
    ],
  },
];

export const router = createBrowserRouter(pages);
