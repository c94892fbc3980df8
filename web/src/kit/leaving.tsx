/** Every way out of a page, guarded in one place: Back closes what lies over the page, and what is not saved asks first. */
import { App } from 'antd';
import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { useBlocker } from 'react-router';
import { useTranslation } from '@/i18n';

/** What lies over the page, the topmost last: each way to close it. */
let overlays: readonly (() => void)[] = [];

/** What would lose something now if the page were left. */
let unsaved: readonly (() => boolean)[] = [];

/** Takes part in the order of what lies over the page; returns the way out of it. */
function lieOver(close: () => void): () => void {
  overlays = [...overlays, close];
  return () => {
    overlays = overlays.filter((other) => other !== close);
  };
}

/** While it is open, the browser's Back calls `close` in place of leaving the page. */
export function useBackCloses(open: boolean | undefined, close: (() => void) | undefined): void {
  const closeNow = useEffectEvent(() => close?.());
  useEffect(() => {
    if (!open) return undefined;
    return lieOver(() => closeNow());
  }, [open]);
}

/** Asks before the page is left, and before its window is closed, while `changed` answers yes. */
export function useUnsaved(changed: () => boolean): void {
  const changedNow = useEffectEvent(changed);
  useEffect(() => {
    const ask = () => changedNow();
    unsaved = [...unsaved, ask];
    return () => {
      unsaved = unsaved.filter((other) => other !== ask);
    };
  }, []);
}

type Confirm = ReturnType<typeof App.useApp>['modal']['confirm'];

interface Question extends Omit<Parameters<Confirm>[0], 'onOk' | 'onCancel'> {
  onOk?: () => unknown;
  onCancel?: () => void;
}

/** A question with two answers, where Back means no. */
export function useConfirm(): (asked: Question) => void {
  const { modal } = App.useApp();
  return useCallback(
    (asked) => {
      const no = () => {
        leave();
        asked.onCancel?.();
      };
      const yes = () => {
        leave();
        return asked.onOk?.();
      };
      const { destroy } = modal.confirm({ ...asked, onOk: yes, onCancel: no });
      const leave = lieOver(() => {
        destroy();
        no();
      });
    },
    [modal],
  );
}

/** Asks whether what was entered may be lost. */
export function useDiscard(): (yes: () => void, no?: () => void) => void {
  const { t } = useTranslation();
  const confirm = useConfirm();
  return useCallback(
    (yes, no) =>
      confirm({
        title: t('kit.form.discard'),
        content: t('kit.form.discardHint'),
        okText: t('kit.form.discardYes'),
        okButtonProps: { danger: true },
        cancelText: t('kit.form.stay'),
        onOk: yes,
        onCancel: no,
      }),
    [confirm, t],
  );
}

/** Stands once in the console: a router knows one guard only. Nothing is added to the history, so that nothing is left in it. */
export function Leaving() {
  const discard = useDiscard();
  const isOver = useRef(false);
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    isOver.current = historyAction === 'POP' && overlays.length > 0;
    if (isOver.current) return true;
    return currentLocation.pathname !== nextLocation.pathname && unsaved.some((changed) => changed());
  });
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    if (isOver.current) {
      blocker.reset();
      overlays.at(-1)?.();
    } else discard(blocker.proceed, blocker.reset);
  }, [blocker, discard]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (unsaved.some((changed) => changed())) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  return null;
}
