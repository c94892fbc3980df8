/** The way to the lock. */
import { useLocation, useNavigate } from 'react-router';

export interface LockState {
  /** Where the person was. */
  from?: string;
  /** The lock is to be closed on arrival. */
  close?: boolean;
}

/** Goes to the lock, which closes on arrival: a page with something unsaved asks before it is left, and may stay. */
export function useLockUp(): () => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return () => {
    const state: LockState = { from: pathname + search, close: true };
    navigate('/lock', { state });
  };
}
