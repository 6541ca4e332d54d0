"""Threads with everything that ``threading``, ``queue`` and ``concurrent.futures`` have."""

import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

start = time.perf_counter()
lock = threading.Lock()


def say(*words):
    with lock:
        print(f"{time.perf_counter() - start:.2f}", *words)


jobs = queue.Queue(maxsize=2)


def produce():
    for number in range(5):
        jobs.put(number)
        say("put", number)
    jobs.put(None)


def consume():
    while (number := jobs.get()) is not None:
        time.sleep(0.25)
        say("done", number)


threads = [threading.Thread(target=each) for each in (produce, consume)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
say(*(thread.is_alive() for thread in threads))

condition, ready = threading.Condition(), []


def wait_for_it():
    with condition:
        came = condition.wait_for(lambda: ready, timeout=3)
    say("condition", came)


waiter = threading.Thread(target=wait_for_it)
waiter.start()


def tell():
    with condition:
        ready.append(1)
        condition.notify()


timer = threading.Timer(1.0, tell)
timer.start()
waiter.join(0.5)
say("still waits", waiter.is_alive())
event = threading.Event()
say("event", event.wait(0.1))
barrier = threading.Barrier(3)
gate = threading.Semaphore(2)


def pass_gate(number):
    barrier.wait()
    with gate:
        time.sleep(0.5)
    return number


with ThreadPoolExecutor(3) as pool:
    for done in as_completed([pool.submit(pass_gate, number) for number in range(3)]):
        say("passed", done.result())
try:
    queue.Queue().get(timeout=0.5)
except queue.Empty:
    say("empty")
