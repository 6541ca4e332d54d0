"""Run pytest within a test, with the plugin of the test bench."""


def run_inside(pytester, *options):
    """Run the tests in the folder of ``pytester``; return the result.

    The plugin of slipcover stays out: it would end the coverage of the outer tests.
    """
    left_out = ("-p", "no:cacheprovider", "-p", "no:slipcover")
    return pytester.runpytest_inprocess(*left_out, *options)
