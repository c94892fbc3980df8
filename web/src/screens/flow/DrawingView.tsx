/** One drawing to look at, over the page. */
import { lazy, type ReactNode, Suspense } from 'react';
import { Modal } from '@/kit/overlays';
import { ErrorState, PageSkeleton } from '@/kit/states';
import { type Reference, useDrawing } from './queries';

const Drawing = lazy(() => import('@/workflow/Drawing'));

interface DrawingViewProps {
  title: ReactNode;
  reference: Reference;
  onClose: () => void;
}

export function DrawingView({ title, reference, onClose }: DrawingViewProps) {
  const { data, error, refetch } = useDrawing(reference);
  return (
    <Modal open centered width="calc(100vw - 32px)" title={title} footer={null} onCancel={onClose}>
      {error && !data ? <ErrorState error={error} retry={refetch} /> : null}
      {!error && data === undefined && <PageSkeleton rows={6} />}
      {data !== undefined && (
        <Suspense fallback={<PageSkeleton rows={6} />}>
          <Drawing xml={data} />
        </Suspense>
      )}
    </Modal>
  );
}
